/** Commands as bash writes them: `declare -f`, `jobs`, BASH_COMMAND. */
import type {
  AndOr,
  Body,
  CaseItem,
  Command,
  CompoundCommand,
  FunctionDefinition,
  ListNode,
  Pipeline,
  Redirect,
} from "./ast.ts";
import { printLoopHead, printTest } from "./print-parts.ts";
import { printRedirect } from "./print-redirect.ts";

const STEP = 4;

/** A command in one text; compound commands take several lines. */
export function printCommand(command: ListNode): string {
  const printer = new Printer();
  printer.list(command);
  return printer.finish();
}

/** A function as `declare -f` shows it. */
export function printFunction({ name, body }: FunctionDefinition): string {
  const printer = new Printer();
  printer.function(`${name} () \n`, body);
  return printer.finish();
}

class Printer {
  #out = "";
  #indentation = 0;
  /** The next command stands on a line that is indented already. */
  #skips = 0;
  #functions = 0;
  #documents: { readonly text: string; readonly delimiter: string }[] = [];
  #wasDocument = false;

  finish(): string {
    this.#printDocuments("");
    return this.#out;
  }

  list(node: ListNode): void {
    if (node.kind === "and-or") this.#andOr(node);
    else if (node.kind === "pipeline") this.#pipeline(node);
    else this.#command(node);
  }

  function(head: string, body: Command): void {
    this.#write(head);
    this.#indent();
    this.#write("{ \n");
    this.#functions += 1;
    this.#indentation += STEP;
    const inner = body.kind === "redirected" ? body.command : body;
    const isGroup = inner.kind === "group";
    if (isGroup) this.#body(inner.body);
    else this.#command(body);
    this.#printDocuments("");
    this.#indentation -= STEP;
    this.#functions -= 1;
    this.#newline("}");
    if (isGroup && body.kind === "redirected") {
      this.#write(" ");
      this.#redirects(body.redirects);
    }
  }

  #body(body: Body): void {
    for (const [at, statement] of body.entries()) {
      this.list(statement.command);
      if (statement.isBackground) this.#write(" &");
      if (at === body.length - 1) break;
      if (statement.isBackground) {
        this.#write(" ");
        this.#skips += 1;
        continue;
      }
      if (this.#documents.length > 0) this.#printDocuments(this.#functions > 0 ? "" : ";");
      else if (!this.#wasDocument) this.#write(";");
      this.#wasDocument = false;
      this.#write(this.#functions > 0 ? "\n" : " ");
      if (this.#functions === 0) this.#skips += 1;
    }
  }

  #andOr({ first, rest }: AndOr): void {
    this.list(first);
    for (const { operator, command } of rest) {
      this.#connect(` ${operator} `);
      this.#skips += 1;
      this.list(command);
    }
  }

  #connect(operator: string): void {
    this.#write(operator);
    if (this.#documents.length === 0) return;
    this.#printDocuments("");
    this.#write(" ");
  }

  #pipeline({ commands, pipesStderr, isNegated, timed }: Pipeline): void {
    this.#begin();
    if (timed !== "no") this.#write(timed === "posix" ? "time -p " : "time ");
    if (isNegated) this.#write("! ");
    for (const [at, command] of commands.entries()) {
      if (at > 0) {
        this.#connect(pipesStderr[at - 1] === true ? " 2>&1 |" : " |");
        this.#write(" ");
      }
      this.#skips += 1;
      this.#command(command);
    }
  }

  #command(command: Command): void {
    this.#begin();
    switch (command.kind) {
      case "simple": {
        const words = [...command.assignments, ...command.words].map(({ text }) => text);
        this.#write(words.join(" "));
        if (words.length > 0 && command.redirects.length > 0) this.#write(" ");
        return this.#redirects(command.redirects);
      }
      case "redirected":
        this.#compound(command.command);
        this.#write(" ");
        return this.#redirects(command.redirects);
      case "function":
        return this.function(`function ${command.name} () \n`, command.body);
      case "coprocess":
        this.#write(`coproc ${command.name ?? "COPROC"} `);
        this.#skips += 1;
        this.#command(command.body);
        return;
      default:
        this.#compound(command);
    }
  }

  #compound(command: CompoundCommand): void {
    switch (command.kind) {
      case "group":
        return this.#group(command.body);
      case "subshell":
        this.#write("( ");
        this.#skips += 1;
        this.#body(command.body);
        this.#printDocuments("");
        return this.#write(" )");
      case "if":
        return this.#if(command.branches, command.otherwise);
      case "loop":
        this.#write(command.until ? "until " : "while ");
        this.#skips += 1;
        this.#body(command.condition);
        this.#printDocuments("");
        this.#semicolon();
        this.#write(" do\n");
        return this.#loopBody(command.body);
      case "for":
      case "select":
        this.#write(`${printLoopHead(command)};`);
        this.#newline("do\n");
        return this.#loopBody(command.body);
      case "arithmetic-for": {
        const parts = [command.initialize, command.test, command.update];
        this.#write(`for ((${parts.map((part) => part?.text.trim() ?? "1").join("; ")}))`);
        this.#newline("do\n");
        return this.#loopBody(command.body);
      }
      case "case":
        this.#write(`case ${command.word.text} in `);
        this.#clauses(command.items);
        return this.#newline("esac");
      case "test":
        return this.#write(`[[ ${printTest(command.expression)} ]]`);
      case "arithmetic":
        return this.#write(`((${command.expression.text}))`);
    }
  }

  #group(body: Body): void {
    this.#write("{ ");
    if (this.#functions === 0) {
      this.#skips += 1;
    } else {
      this.#write("\n");
      this.#indentation += STEP;
    }
    this.#body(body);
    this.#printDocuments("");
    if (this.#functions === 0) {
      this.#semicolon();
      this.#write(" ");
    } else {
      this.#write("\n");
      this.#indentation -= STEP;
      this.#indent();
    }
    this.#write("}");
  }

  /** An `elif` is an `if` in the `else`. */
  #if(branches: readonly { condition: Body; body: Body }[], otherwise: Body | undefined): void {
    const [first, ...rest] = branches;
    if (first === undefined) return;
    this.#write("if ");
    this.#skips += 1;
    this.#body(first.condition);
    this.#printDocuments("");
    this.#semicolon();
    this.#write(" then\n");
    this.#indented(() => this.#body(first.body));
    if (rest.length > 0 || otherwise !== undefined) {
      this.#semicolon();
      this.#newline("else\n");
      this.#indented(() => {
        if (rest.length === 0) return this.#body(otherwise ?? []);
        this.#begin();
        this.#if(rest, otherwise);
      });
    }
    this.#semicolon();
    this.#newline("fi");
  }

  #loopBody(body: Body): void {
    this.#indented(() => {
      this.#body(body);
      this.#printDocuments("");
      this.#semicolon();
    });
    this.#newline("done");
  }

  #clauses(items: readonly CaseItem[]): void {
    this.#indentation += STEP;
    for (const { patterns, body, end } of items) {
      this.#newline("");
      this.#write(`${patterns.map(({ text }) => text).join(" | ")})\n`);
      this.#indented(() => this.#body(body));
      this.#newline(end);
    }
    this.#indentation -= STEP;
  }

  #redirects(redirects: readonly Redirect[]): void {
    this.#write(redirects.map(printRedirect).join(" "));
    for (const redirect of redirects) {
      if (redirect.kind !== "here" || redirect.document === undefined) continue;
      const { text, delimiter } = redirect.document;
      this.#documents.push({ text, delimiter: delimiter.replace(/['"\\]/g, "") });
    }
  }

  #printDocuments(behind: string): void {
    if (this.#documents.length === 0) return;
    this.#write(behind);
    this.#write("\n");
    for (const { text, delimiter } of this.#documents) this.#write(`${text}${delimiter}\n`);
    this.#documents = [];
    this.#wasDocument = true;
  }

  #indented(step: () => void): void {
    this.#indentation += STEP;
    step();
    this.#printDocuments("");
    this.#indentation -= STEP;
  }

  /** A command begins here. */
  #begin(): void {
    if (this.#skips > 0) this.#skips -= 1;
    else this.#indent();
  }

  #semicolon(): void {
    if (!/[\n&]$/.test(this.#out)) this.#write(";");
  }

  #newline(text: string): void {
    this.#write("\n");
    this.#indent();
    this.#write(text);
  }

  #indent(): void {
    this.#out += " ".repeat(this.#indentation);
  }

  #write(text: string): void {
    this.#out += text;
  }
}
