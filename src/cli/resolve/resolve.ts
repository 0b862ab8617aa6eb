import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import type { Named } from './naming.js';
import { mayBeTitle, referencesOf } from './references.js';

/**
 * Titles and addresses instead of ids, and lists to choose from (DESIGN, "What a person meets").
 *
 * - The address of a resource is turned into its id, everywhere; nothing is sent for it.
 * - On a terminal, what cannot be an id is a title. What can be an id is looked up under that id first,
 *   then as a title, unless it is an id beyond doubt: 16 characters or more with a digit, or a number.
 * - On a terminal, what is missing is chosen from a list.
 * - In scripts an id stays what was typed. With `--by-title` all of it may be a title.
 *
 * What a title came to is said on stderr. Does nothing, and loads nothing, where every id is given.
 */
export async function nameResources(
  session: Session,
  command: Command,
  input: ManualInput,
  check: (session: Session, command: Command, input: ManualInput) => Promise<void>,
): Promise<Named> {
  const references = referencesOf(session, command, input);
  const work = references.some(({ typed, needed, kind, taker }) =>
    typed.length === 0
      ? needed && session.interactive
      : typed.some((text) => mayBeTitle(session, kind, text, taker)) ||
        (session.globals.byTitle === true && typed.includes('-')),
  );
  if (!work) return { session, input };
  await check(session, command, input);
  const { nameAll } = await import('./naming.js');
  return nameAll(session, command, input, references);
}
