import { type Explained, explainAccess as explained, type Resource } from '../../access/explain/explain.js';
import { Tally } from '../../access/tally.js';
import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { outputFormat } from '../../cli/run/output-form.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { refuseTitles } from '../../cli/run/refuse-titles.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { conclude } from './conclude.js';
import { explanationText } from './explanation-text.js';

/**
 * `docs access explain`: prints one explanation.
 * @throws DocsError usage; not-found; partial `not_all_read` (exit 3) where something could not be read
 */
export async function explainAccess(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, printer, settings, globals } = session;
  const resource = resourceOf(session, String(input.args.resource));
  await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const progress = startProgress(io, { text: 'Reading', quiet: globals.quiet ?? false });
  let found: Explained;
  try {
    found = await explained(reading, String(input.args.person), resource);
  } finally {
    progress.stop();
  }
  const { explanation, unread } = found;
  if (outputFormat(session) === 'table' && settings.fields === undefined && globals.jq === undefined)
    await printer.text(explanationText(explanation, io.stdout.columns || Number(io.env.COLUMNS) || 80));
  else await printer.one(explanation, view);
  const tally = new Tally();
  tally.rows = 1;
  tally.unknown = explanation.reason === 'unknown' ? 1 : 0;
  tally.fail(...unread);
  if (tally.unknown + tally.failures > 0) conclude(session, tally, { words: 'Explained in part' });
}

/** Reads `kind:id`, as the name was resolved. @throws DocsError usage `invalid_input` */
function resourceOf(session: Session, text: string): Resource {
  const [, object, id] = /^(space|collection|site):([\w-]+)$/.exec(text) ?? [];
  if (id !== undefined && (object === 'space' || object === 'collection' || object === 'site'))
    return { object, id };
  refuseTitles(session, '<resource>', [text]);
  const message = `<resource>: ${JSON.stringify(text.slice(0, 100))} is not the id of a space, a collection or a site.`;
  throw usageError('invalid_input', message, { hint: 'docs spaces list' });
}
