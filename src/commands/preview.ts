import { prepare } from '../api/client.js';
import type { PlannedCall } from './assemble.js';
import type { Session } from './session.js';

/**
 * `--dry-run`: prints the exact requests, sends none. The token is in no part of them.
 * A structured format gets one object a request; people get the request as it would go out.
 */
export async function preview(session: Session, calls: readonly PlannedCall[]): Promise<void> {
  const requests = calls.map((call) => prepare(call.op, call.input));
  const format = session.settings.output?.value;
  const structured = format !== undefined && format !== 'table' && format !== 'id';
  if (structured || session.globals.jq !== undefined) {
    await session.printer.value(requests.length === 1 ? requests[0] : requests);
  } else {
    const texts = requests.map(({ method, path, body }) =>
      [`${method} ${path}`, ...(body === undefined ? [] : [JSON.stringify(body, null, 2)])].join('\n'),
    );
    await session.printer.text(`${texts.join('\n')}\n`);
  }
  const many = requests.length === 1 ? 'the request is' : `the ${requests.length} requests are`;
  session.printer.note(`Dry run: ${many} shown above; nothing was sent.`);
}
