import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { camel } from '../../cli/declare/command.js';
import { type Answer, failed } from './answer.js';
import { type Caller, type Calls, errorOf, type McpWorld, type Ran } from './calls.js';
import { refuseChange, refuseUnsafe } from './guard.js';

/** `docs_read`: any command that only reads, held to GET in the transport. */

/** Items, or outputs of jq, that a call gets unless it says how many. */
export const usualLimit = 50;

/** What a call asks for. */
export interface Reading {
  argv: readonly string[];
  jq?: string;
  /** Dotted paths, with commas. */
  fields?: string;
  limit?: number;
}

/** @throws DocsError usage: nothing was sent */
export async function read(world: McpWorld, calls: Calls, asked: Reading, caller: Caller): Promise<Answer> {
  const { argv, jq, fields, limit } = asked;
  const line = await world.parse(argv);
  refuseUnsafe(world, line, 'read');
  refuseChange(line);
  if (jq !== undefined && line.globals.jq !== undefined)
    throw usageError('contradiction', 'jq is given twice; nothing was sent.');
  const filters = jq !== undefined || line.globals.jq !== undefined;
  const isList = line.command.options.some(({ name }) => name === 'limit');
  const own = line.options[camel('limit')];
  // A filter is for the whole list: what it makes of it is cut instead.
  const flags = [
    ...(isList && own === undefined && !filters ? [`--limit=${limit ?? usualLimit}`] : []),
    // As one list of its outputs: those of jq itself are lines, in which a text may have further lines.
    ...(jq === undefined ? [] : [`--jq=[(\n${jq}\n)]`]),
    ...(fields === undefined ? [] : [`--fields=${fields}`]),
  ];
  const ran = await calls.run(argv, line, flags, caller, { readOnly: true, stops: true });
  const found = resultIn(ran, limit ?? (own === undefined ? usualLimit : Number.POSITIVE_INFINITY));
  if (ran.code === 0) return { value: found, long: 'result', foreign: ['result', 'notes'] };
  return failed(errorOf(ran), found.result === undefined ? {} : found, ['result', 'notes']);
}

/** What a command printed, as structured content. @param most items of a list */
export function resultIn(ran: Ran, most: number): Record<string, unknown> {
  const { cut, notes, stdout, isWhole } = ran;
  const told = { ...(notes.length > 0 && { notes: notes.slice(0, 20) }) };
  const result = isWhole ? parsed(stdout) : stdout;
  const tooLong = isWhole ? {} : { tooLong: true };
  if (!Array.isArray(result)) return { ...defined({ result }), ...tooLong, ...told };
  const isCut = result.length > most || cut !== undefined;
  const shown = result.length > most ? result.slice(0, most) : result;
  const total = cut === undefined ? result.length : cut.total;
  const counts = { shown: shown.length, ...defined({ total }), cut: isCut };
  return { result: shown, ...counts, ...told };
}

/** JSON; where it is none, lines of JSON or text, as `--jq` prints them. */
function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  const whole = jsonIn(text);
  if (whole !== undefined) return whole;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => jsonIn(line) ?? line);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
