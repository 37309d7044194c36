// What a cell sees of the host's files: a root of its own in which only what it reads is mounted, and Landlock.
#include "launcher.h"

enum {
  MS_RDONLY = 1, MS_NOSUID = 2, MS_NODEV = 4, MS_NOEXEC = 8, MS_REMOUNT = 32, MS_BIND = 4096,
  MS_REC = 16384, MS_PRIVATE = 1 << 18, MNT_DETACH = 2, O_PATH = 010000000, O_CREAT = 0100, AT_EMPTY_PATH = 0x1000,
  AT_RECURSIVE = 0x8000, OPEN_TREE_CLONE = 1, MOVE_MOUNT_F_EMPTY_PATH = 4,
};
/** mount_setattr(2) */
struct mount_attributes { unsigned long set, clear, propagation, user_namespace; };
enum { MOUNT_ATTR_RDONLY = 1, MOUNT_ATTR_NOSUID = 2, MOUNT_ATTR_NODEV = 4 };

/** Makes the directories above a path, in the current directory. Paths begin with a slash. */
static void make_parents(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    CALL(mkdirat, AT_FDCWD, path + 1, 0755);
    *at = '/';
  }
}

/** A copy of the mount that is not attached anywhere yet: what covers its path later does not matter. */
static long clone_tree(const char *path) {
  long tree = CALL(open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | O_CLOEXEC | AT_RECURSIVE);
  if (tree < 0) return tree;
  struct mount_attributes attributes = {MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0, 0, 0};
  long set = CALL(mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes);
  if (set >= 0) return tree;
  CALL(close, tree);
  return set;
}

/** The path in the current directory becomes a file or directory to mount on. */
static long attach_tree(long tree, char *path) {
  make_parents(path);
  long inside = CALL(openat, tree, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (inside >= 0) {
    CALL(close, inside);
    CALL(mkdirat, AT_FDCWD, path + 1, 0755);
  } else {
    long file = CALL(openat, AT_FDCWD, path + 1, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (file >= 0) CALL(close, file);
  }
  return CALL(move_mount, tree, "", AT_FDCWD, path + 1, MOVE_MOUNT_F_EMPTY_PATH);
}

/** A link of the root, such as /lib64, and the directory it leads to. */
static void make_link(char *name, const char *target) {
  char directory[256];
  word length = length_of(target);
  if (length + 3 > sizeof directory) return;
  directory[0] = '/';
  copy(directory + 1, target, length);
  directory[length + 1] = '/';
  directory[length + 2] = 0;
  make_parents(target[0] == '/' ? directory + 1 : directory);
  CALL(symlinkat, target, AT_FDCWD, name + 1);
}

static int is_null_device(const char *path) { return is_same(path, "/dev/null"); }

static long clone_all(char **paths, long *trees, int *count) {
  for (; *paths; paths++) {
    if (is_null_device(*paths)) continue;
    long tree = clone_tree(*paths);
    if (tree == -ENOENT) tree = -1000; // Attached nowhere: Landlock leaves such paths out, too.
    if (tree < 0 && tree != -1000) return tree;
    trees[(*count)++] = tree;
  }
  return 0;
}

static long attach_all(char **paths, long *trees, int *count) {
  for (; *paths; paths++) {
    if (is_null_device(*paths)) continue;
    long tree = trees[(*count)++];
    if (tree < 0) continue;
    long attached = attach_tree(tree, *paths);
    if (attached < 0) return attached;
    CALL(close, tree);
  }
  return 0;
}

/** In the file system that covers /tmp. */
static long build_root(long *trees) {
  long moved = CALL(chdir, "/tmp");
  if (moved < 0) return moved;
  for (char **link = setup.links; *link; link += 2) make_link(link[0], link[1]);
  int at = 0;
  long attached = attach_all(setup.readable, trees, &at);
  if (attached == 0) attached = attach_all(setup.executable, trees, &at);
  if (attached < 0) return attached;
  // OpenSSL reads it as its configuration: an empty file does.
  CALL(mkdirat, AT_FDCWD, "dev", 0755);
  long null = CALL(openat, AT_FDCWD, "dev/null", O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
  if (null >= 0) CALL(close, null);
  long sealed = CALL(mount, 0, ".", 0, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, 0);
  if (sealed < 0) return sealed;
  long turned = CALL(pivot_root, ".", ".");
  if (turned < 0) return turned;
  long left = CALL(umount2, ".", MNT_DETACH);
  if (left < 0) return left;
  return CALL(chdir, "/");
}

void enter_files(void) {
  static long trees[2 * STRINGS];
  int count = 0;
  long done = CALL(mount, "none", "/", 0, MS_REC | MS_PRIVATE, 0);
  if (done >= 0) done = clone_all(setup.readable, trees, &count);
  if (done >= 0) done = clone_all(setup.executable, trees, &count);
  if (done >= 0) done = CALL(mount, "cell", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0755,size=1m");
  if (done >= 0) {
    done = build_root(trees);
    // Nothing is covered where there is no new root.
    if (done < 0) {
      CALL(chdir, "/");
      CALL(umount2, "/tmp", MNT_DETACH);
    }
  }
  setup.states[OWN_FILES] = done < 0 ? (int)done : 1;
}

/** linux/landlock.h */
enum { RULE_PATH_BENEATH = 1, CREATE_RULESET_VERSION = 1, EXECUTE = 1, READ_FILE = 4 };
struct ruleset { unsigned long files, network, scopes; };
struct __attribute__((packed)) rule { unsigned long allowed; int parent; };

static long allow_paths(long rules, char **paths, unsigned long allowed) {
  for (; *paths; paths++) {
    long fd = CALL(openat, AT_FDCWD, *paths, O_PATH | O_CLOEXEC);
    if (fd < 0) continue;
    struct rule rule = {allowed, (int)fd};
    long added = CALL(landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0);
    CALL(close, fd);
    if (added < 0) return added;
  }
  return 0;
}

/** Every kind of file access the kernel can refuse: 13 bits, then one each in versions 2, 3 and 5. */
static unsigned long file_rights(long version) {
  return version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
}

/** The kernel refuses this process, and what it starts, every file that is not named, TCP, and signals to others. */
void restrict_files(void) {
  long version = CALL(landlock_create_ruleset, 0, 0, CREATE_RULESET_VERSION);
  if (version < 0) {
    setup.states[LANDLOCK] = (int)version;
    return;
  }
  struct ruleset wanted = {file_rights(version), version >= 4 ? 3 : 0, version >= 6 ? 3 : 0};
  // An older kernel knows a shorter struct.
  word size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long rules = CALL(landlock_create_ruleset, &wanted, size, 0);
  long done = rules;
  if (done >= 0) done = allow_paths(rules, setup.readable, READ_FILE);
  if (done >= 0) done = allow_paths(rules, setup.executable, READ_FILE | EXECUTE);
  if (done >= 0) done = CALL(landlock_restrict_self, rules, 0);
  if (rules >= 0) CALL(close, rules);
  setup.landlock_version = (int)version;
  setup.states[LANDLOCK] = done < 0 ? (int)done : 1;
}
