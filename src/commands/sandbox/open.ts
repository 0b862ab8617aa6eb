import { DocsError } from '../../base/errors.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import { showUrl } from '../../cli/run/browser.js';
import { done, oneOf, text } from '../../output/printed-shapes.js';
import { fileOption, isDryRun, withControl } from './control.js';
import { fileFlag } from './pages.js';
import { chosenFile, runningServer } from './served.js';

export const open = manual({
  name: 'open',
  summary: 'Open the sandbox in the browser',
  why:
    'Shows organizations, spaces, pages, change requests, people, sites, specs, and requests to its server as they ' +
    'come. The address works once, for five minutes, and is printed where no browser starts.',
  options: [fileOption],
  returns: done(oneOf('opened', 'not-opened'), { url: text }),
  exits: ['not-found'],
  examples: { 'sandbox open': 'look at the sandbox in the browser' },
  effect: 'local',
  local: true,
  async run(session, { options }) {
    const file = await chosenFile(session, 'open', options.file);
    if (await isDryRun(session, file)) return;
    const url = await urlOf(session, file);
    const { openPath } = await import('../../sandbox/server/pages.js');
    const ticket = await withControl(session, file, (control) => control.makeTicket());
    await showUrl(session, url, `${url}${openPath}?token=${ticket}`);
  },
});

/** The address of the server in the background. @throws DocsError not-found `not_running` */
async function urlOf(session: Session, file: string): Promise<string> {
  const server = await runningServer(session, file);
  if (server !== undefined) return server.url;
  throw new DocsError('not-found', 'not_running', 'No sandbox runs in the background.', {
    hint: `docs sandbox start${fileFlag(session, file)}`,
  });
}
