import { parse } from 'yaml';

/** A page of the guide as a script: its blocks of shell, in order, and what they are to print. */

export interface Block {
  /** Line of the page on which the block begins. */
  line: number;
  script: string;
  /** What stands in the block of text below it, and where; undefined where there is none. */
  output?: string;
  outputLine?: number;
  /** Whether the block is run, or only read: `sh no-run`. */
  runs: boolean;
}

interface Fence {
  line: number;
  info: string;
  text: string;
}

/** The blocks of a page: `sh`, and the steps of a pipeline in `yaml`; each with its output in `text`. */
export function blocksOf(page: string): Block[] {
  const fences = fencesOf(page);
  return fences.flatMap((fence, index): Block[] => {
    const script = scriptOf(fence);
    if (script === undefined) return [];
    const next = fences[index + 1];
    const shown = next?.info === 'text' ? { output: next.text, outputLine: next.line } : undefined;
    const runs = !fence.info.includes('no-run');
    return [{ line: fence.line, script, runs, ...shown }];
  });
}

function fencesOf(page: string): Fence[] {
  const fences: Fence[] = [];
  let open: { line: number; info: string; indent: string; text: string[] } | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const [, indent = '', info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (info !== undefined) open = { line: index + 1, info: info.trim(), indent, text: [] };
    } else if (info === '') {
      fences.push({ line: open.line, info: open.info, text: open.text.map((text) => `${text}\n`).join('') });
      open = undefined;
    } else {
      open.text.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line}: a block is not closed`);
  return fences;
}

function scriptOf({ info, text }: Fence): string | undefined {
  const [language] = info.split(' ');
  if (language === 'sh') return text;
  return language === 'yaml' ? stepsOf(text) : undefined;
}

/** What only the service that runs the pipeline can do: install, and talk to its own repository. */
const ofTheService = /^(?:npm|gh|git) /;

interface WorkflowJob {
  /** GitHub Actions. */
  steps?: { run?: string }[];
  /** GitLab CI. */
  script?: string | string[];
}

/** What the steps of a workflow or a pipeline run, but for what its service does; undefined for other YAML. */
function stepsOf(text: string): string | undefined {
  const file = (parse(text) ?? {}) as { jobs?: Record<string, WorkflowJob> };
  const found = Object.values(file.jobs ?? (file as Record<string, WorkflowJob>));
  const jobs = found.filter((job) => job?.steps !== undefined || job?.script !== undefined);
  if (jobs.length === 0) return undefined;
  const steps = jobs.flatMap(({ steps = [], script = [] }) => [
    ...steps.flatMap(({ run }) => run ?? []),
    ...[script].flat(),
  ]);
  return steps
    .filter((step) => !ofTheService.test(step))
    .map((step) => `${step.trimEnd()}\n`)
    .join('');
}

/** A page with the output of a block written anew. */
export function withOutput(page: string, { outputLine = 0 }: Block, output: string): string {
  const lines = page.split('\n');
  const end = lines.findIndex((line, at) => at >= outputLine && line.trim() === '```');
  const [indent = ''] = /^ */.exec(lines[outputLine - 1] ?? '') ?? [];
  const text = output.replace(/\n$/, '').split('\n');
  return lines.toSpliced(outputLine, end - outputLine, ...text.map((line) => indent + line)).join('\n');
}

/** The words of each `docs` command of a script, as the shell would split them. */
export function docsCommands(script: string): string[][] {
  const commands: string[][] = [];
  for (const words of simpleCommands(script)) {
    const at = words.indexOf('docs');
    if (at === -1) continue;
    // What is run by another program, such as xargs or exec, comes after its name.
    const before = words
      .slice(0, at)
      .every((word) => /^(xargs|npx|if|!|while|do|then|else|-\w+|\w+=.*|\d+)$/.test(word));
    if (before) commands.push(words.slice(at + 1));
  }
  return commands;
}

/** Splits a script at what ends a command; redirections, here documents and comments are left out. */
function simpleCommands(script: string): string[][] {
  const text = script
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/<<-?'?(\w+)'?(.*)\n[\s\S]*?\n\1\n/g, '$2\n')
    .replaceAll(/(^|\s)#.*$/gm, '$1');
  const tokens =
    text.match(/'[^']*'|"(?:[^"\\]|\\.)*"|\$\(|[|&;()\n]+|[<>]+&?|[^\s'"|&;()<>]+|[ \t]+/g) ?? [];
  const commands: string[][] = [[]];
  let word: string | undefined;
  let redirected = false;
  const endWord = (): void => {
    if (word === undefined) return;
    if (redirected) redirected = false;
    else commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const token of tokens) {
    if (/^[ \t]+$/.test(token)) endWord();
    else if (/^(\$\(|[|&;()\n]+)$/.test(token)) {
      endWord();
      commands.push([]);
    } else if (/^[<>]/.test(token)) {
      if (/^\d$/.test(word ?? '')) word = undefined;
      endWord();
      redirected = !token.endsWith('&');
    } else word = (word ?? '') + unquoted(token);
  }
  endWord();
  return commands;
}

function unquoted(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  return token.startsWith('"') ? token.slice(1, -1).replaceAll(/\\(.)/g, '$1') : token;
}

/**
 * What differs from run to run, or from build to build, made the same: times, ports, sizes of pages, ids of requests,
 * jobs and plans, the home folder.
 */
export function normalised(text: string, home: string): string {
  return text
    .replaceAll(home, '~')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC/g, '<time>')
    .replaceAll(/\bp-[0-9a-f]{16}\b/g, '<plan>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replaceAll(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<job>')
    .replaceAll(/\breq_\d+_\d+\b/g, '<request>')
    .replaceAll(/\b\d+ (?:seconds?|minutes?|hours?|days?) ago\b/g, '<age>')
    .replaceAll(/\(\d[\d.]* [kMG]B\)/g, '(<size>)')
    .replaceAll(/[ \t]+$/gm, '');
}
