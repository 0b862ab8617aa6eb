import { refusal } from '../../access/member-refusals.js';
import { lockOutReasons } from '../../access/sso/way-in.js';
import { linkMemberSso } from '../../api/resources/members.js';
import type { Applies } from '../../cli/declare/command.js';
import { refuse } from '../../cli/run/output.js';
import { waysIn } from '../../workflows/sso-link/prepare.js';

/** Refuses a plan of `sso link` that would leave no admin with a way in, as things stand now. */
export const applyLinks: Applies = async ({ session, client, calls, concurrency }) => {
  const links = calls.filter(({ op }) => op === linkMemberSso);
  const organizationId = links[0]?.input.path?.organizationId;
  if (organizationId === undefined) return {};
  const reading = { client, organizationId, concurrency, signal: session.io.signal };
  const request = { reading, provider: undefined, idp: undefined, nowMs: session.io.now };
  const ways = await waysIn(
    request,
    links.map(({ id }) => id),
  );
  refuse(session, refusal(lockOutReasons(ways)));
  return {};
};
