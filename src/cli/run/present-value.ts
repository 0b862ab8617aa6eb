import { isRefusal, type PlannedRequest, readsOf } from '../../jobs/request.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import type { Session } from '../declare/session.js';

/**
 * What a field of a resource is now, by the read that undo uses.
 * @returns undefined where no read shows it, or the read is refused: the change's own answer says why
 * @throws DocsError where the platform is out of reach
 */
export async function presentValue(
  session: Session,
  { op, input }: PlannedRequest,
  field: string,
): Promise<unknown> {
  const { creates, read } = ruleOf(op);
  if (creates || read === undefined) return undefined;
  const client = await session.client({ timeoutPerRequest: true });
  try {
    return (await read(readsOf(client), input))?.[field];
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    return undefined;
  }
}
