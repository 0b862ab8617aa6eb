import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { type ContextName, type Filled, mayBeTitle, missingContext, placesOf } from './id-places.js';

/**
 * Titles and addresses instead of ids, and lists to choose from (DESIGN, "What a person meets").
 *
 * - The address of a resource is turned into its id, everywhere; nothing is sent for it.
 * - On a terminal, what cannot be an id is a title. What can be an id is looked up under that id first,
 *   then as a title, unless it is an id beyond doubt: 16 characters or more with a digit, or a number.
 * - On a terminal, what is missing is chosen from a list.
 * - In scripts an id stays what was typed. With `--by-title` all of it may be a title.
 *
 * Prints to stderr which id a title stands for. Loads nothing where every id is given.
 */
export async function resolveIds(
  session: Session,
  command: Command,
  input: ManualInput,
  check: (session: Session, command: Command, input: ManualInput) => Promise<void>,
): Promise<Filled> {
  const places = placesOf(session, command, input);
  const work = places.some(({ typed, needed, kind, taker }) =>
    typed.length === 0
      ? needed && session.interactive
      : typed.some((text) => mayBeTitle(session, kind, text, taker)) ||
        (session.globals.byTitle === true && typed.includes('-')),
  );
  if (!work) return { session, input };
  await check(session, command, input);
  const { fillIds } = await import('./fill-ids.js');
  return fillIds(session, command, input, places);
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
  const [{ idOf }, { catalogue }] = await Promise.all([import('./fill-ids.js'), import('./catalogue.js')]);
  return (await idOf(session, { kind: catalogue[name], typed: undefined, place: `--${name}` })).id;
}
