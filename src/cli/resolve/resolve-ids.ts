import { pathParameters } from '../../api/operation.js';
import { usageError } from '../../base/errors.js';
import { canBeId } from '../../base/ids.js';
import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import {
  type ContextName,
  type Filled,
  isSource,
  mayBeTitle,
  mayListEmails,
  missingContext,
  placesOf,
} from './id-places.js';

/**
 * Titles and addresses instead of ids, and lists to choose from (DESIGN, "What a person meets").
 *
 * - The address of a resource is turned into its id, everywhere; nothing is sent for it.
 * - On a terminal, what cannot be an id is a title. What can be an id is looked up under that id first,
 *   then as a title, unless it is an id beyond doubt: 16 characters or more with a digit, or a number.
 * - On a terminal, what is missing is chosen from a list.
 * - A neighbour may be of several kinds: which one has it is looked up, unless its kind is written before it.
 * - In scripts an id stays what was typed, but an email where a member is wanted is looked up everywhere,
 *   also in a list of many. With `--by-title` all of it may be a title.
 * - Titles are looked up where somebody is at the terminal, even if standard input is a file.
 *
 * Prints to stderr which id a title stands for. Loads nothing where every id is given.
 */
export async function resolveIds(
  session: Session,
  command: Command,
  input: ManualInput,
  check: (session: Session, command: Command, input: ManualInput) => Promise<void>,
): Promise<Filled> {
  refuseLists(session, command, input);
  const places = placesOf(session, command, input);
  const work = places.some((place) => {
    const { typed, needed, kind, taker } = place;
    if (typed.length === 0) return needed && session.interactive;
    if (mayListEmails(place) || (session.globals.byTitle === true && typed.includes('-'))) return true;
    // Of which of several kinds an id is has to be found out.
    const isOpen = (text: string) => taker.otherKinds !== undefined && canBeId(text);
    return typed.some((text) => mayBeTitle(session, kind, text, taker) || isOpen(text));
  });
  if (!work) return { session, input };
  await check(session, command, input);
  const { fillIds } = await import('./fill-ids.js');
  return fillIds(session, command, input, places);
}

/**
 * A file or standard input has a list, which only commands that take many ids read. No id begins with an @; a title may.
 * @throws DocsError usage `one_only`
 */
function refuseLists({ globals }: Session, command: Command, { args, groupPath }: ManualInput): void {
  if (command.local || globals.byTitle === true) return;
  const inPaths = command.operations.flatMap(({ path }) => pathParameters(path));
  for (const { name, kind, field = '', variadic, asTyped } of command.args) {
    const typed = args[name];
    const isId = kind !== undefined || inPaths.includes(field);
    if (!isId || variadic || asTyped || typeof typed !== 'string' || !isSource(typed)) continue;
    const words = [groupPath, command.name].filter(Boolean).join(' ');
    const isBulk = command.spec !== undefined && command.operations.every(({ method }) => method !== 'GET');
    throw usageError('one_only', `<${name}> takes one id, not a list (${typed}). Nothing was sent.`, {
      hint: isBulk ? `docs bulk ${words} --from <file>` : `docs ${words} --help`,
    });
  }
}

/**
 * The id of a parent, from flag, environment, project file or profile; on a terminal chosen from a list
 * where none of them names it.
 * @throws DocsError usage `missing_org` and the like
 */
export async function contextId(session: Session, name: ContextName): Promise<string> {
  const resolved = session.settings[name];
  if (resolved !== undefined) return resolved.value;
  if (!session.interactive) throw missingContext(session, name);
  const [{ idOf }, { resourceOfContext }] = await Promise.all([
    import('./fill-ids.js'),
    import('../../model/resources.js'),
  ]);
  return (await idOf(session, { kind: resourceOfContext(name), typed: undefined, place: `--${name}` })).id;
}
