import { DocsError } from '../base/errors.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { command } from '../reports/markup.js';
import { findDefaults } from '../sandbox/server/tokens.js';
import { type Offer, offer, placed } from './actions.js';
import { homePath, name, orgPath, requestsPath, table, time } from './parts.js';
import { inOrg, type View, type Visit } from './visit.js';

/** Where a visit begins: what can be tried here, and the organizations. */

/** A button, or the words of a command after `docs` that is run in a terminal. */
type Step = Offer | readonly string[];

interface Card {
  title: string;
  text: string;
  steps: readonly Step[];
  /** Where the outcome shows. */
  ends: { label: string; href: string };
}

/** Each teaches one thing of the sandbox by commands; a test runs them. @param space one that may be deleted */
export function cardsOf(space: string): readonly Card[] {
  return [
    {
      title: 'Break something',
      text: 'Let the next list of teams fail. docs waits, sends it again, and succeeds.',
      steps: [
        {
          action: 'fault',
          label: 'Add the fault',
          fields: { method: 'GET', path: '/v1/orgs/*/teams', status: '503', times: '1' },
        },
        ['teams', 'list'],
      ],
      ends: { label: 'See both requests', href: requestsPath },
    },
    {
      title: 'Move time',
      text: 'A deleted space can be restored for seven days. After eight, the platform says no.',
      steps: [
        ['spaces', 'delete', space, '--yes'],
        { action: 'clock', label: '+8 days', fields: { shift: '+8d' } },
        ['spaces', 'restore', space],
      ],
      ends: { label: 'Bring it back: seeds and reset', href: `${homePath}seeds` },
    },
    {
      title: 'Plan a change',
      text: 'Write the organization to files, edit one, and see what would change before anything does.',
      steps: [
        ['pull', '--dir', 'try'],
        ['plan', '--dir', 'try'],
        ['apply', '--dir', 'try'],
      ],
      ends: { label: 'Watch the requests', href: requestsPath },
    },
  ];
}

export const homeView: View = async (visit) => {
  const { db } = visit.parts;
  const ids = db.all<{ id: string }>('SELECT id FROM organizations ORDER BY created_at, id');
  const rows: HtmlPart[][] = [];
  for (const { id } of ids) rows.push(await organizationRow(visit, id));
  const cards = cardsOf(findDefaults(db).space ?? '<space>');
  const body = html`<p class="lead">A platform of your own, on this machine: break it, move its time, start again. Every button shows the
command that does the same.</p>
<ul class="cards">${cards.map((card) => cardHtml(visit, card))}</ul>
<h2>Organizations</h2>
${table('Organizations', ['Title', 'Plan', 'Created'], rows)}`;
  return { title: 'Sandbox', body };
};

function cardHtml(visit: Visit, { title, text, steps, ends }: Card): Html {
  const shown = steps.map((step) =>
    'action' in step
      ? html`<li>${offer(visit, step)}</li>`
      : html`<li>${command(placed(step, visit.settings))}</li>`,
  );
  return html`<li><h2>${title}</h2><p>${text}</p><ol>${shown}</ol><p><a href="${ends.href}">${ends.label}</a></p></li>`;
}

async function organizationRow(visit: Visit, id: string): Promise<HtmlPart[]> {
  const looked = visit.session.org;
  try {
    const { org } = await inOrg(visit, id);
    return [html`<a href="${orgPath(id)}">${name(org.title)}</a>`, org.plan, time(org.createdAt)];
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return [html`<code>${id}</code>`, 'It has no members, so no one can see it.', ''];
  } finally {
    visit.session.org = looked;
  }
}
