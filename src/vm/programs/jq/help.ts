const usage = `Usage:	jq [options] <jq filter> [file...]
	jq [options] --args <jq filter> [strings...]
	jq [options] --jsonargs <jq filter> [JSON_TEXTS...]
`;

/** What jq says without a filter on a terminal. */
export const shortHelp = `jq - commandline JSON processor [version 1.7.1]

${usage}
For listing the command options, use jq --help.
`;

export const helpText = `jq - commandline JSON processor [version 1.7.1]

${usage}
Runs the filter on each JSON value of its input and prints the results.

  -n, --null-input           run once, with null as input
  -R, --raw-input            take each line as a string
  -s, --slurp                take all input as one array
  -c, --compact-output       print each result on one line
  -r, --raw-output           print strings as they are
      --raw-output0          the same, with NUL after each
  -j, --join-output          the same, with nothing after each
  -a, --ascii-output         escape all but ASCII
  -S, --sort-keys            print objects by sorted keys
  -C, --color-output         with colors
  -M, --monochrome-output    without colors
      --tab                  indent with tabs
      --indent n             indent with n spaces, up to 7
      --unbuffered           write each result at once
      --stream               take input as [path, value] events
      --seq                  put a record separator before each result
  -f, --from-file            the filter is in the file of that name
  -L directory               look for modules there
      --arg name value       set $name to a string
      --argjson name text    set $name to a JSON value
      --slurpfile name file  set $name to the values in a file
      --rawfile name file    set $name to the text of a file
      --args                 what follows are strings for $ARGS.positional
      --jsonargs             what follows are JSON values for it
  -e, --exit-status          exit 1 if the last result is false or null, 4 if there is none
  -h, --help                 show this help
  -V, --version              show the version
`;
