import { isStructured, wantsText } from '../../cli/run/output.js';
import type { Report } from '../../cli/run/run-report.js';
import type { Settings } from '../../settings/settings.js';
import { memberName } from '../../settings/settings-file.js';
import type { Identity } from './identity.js';
import { contextOf, contextParts, labels, type SignedIn, signedIn, signedInFacts } from './signed-in.js';

/** `docs status`: people get a line each; a program, or `--fields`, the one object; a pipe the rows. */

interface Status {
  settings: Settings;
  found: SignedIn;
  /** Rows do without further reads. */
  identity?: Identity;
}

export const statusReport: Report<Status> = {
  formOf(session) {
    if (isStructured(session) || session.settings.fields !== undefined) return 'value';
    return wantsText(session) ? 'text' : 'rows';
  },
  async read({ session, groups, form }) {
    const { settings } = session;
    const found = await signedIn(session);
    if (form === 'rows') return { settings, found };
    const { identityOf } = await import('./identity.js');
    return { settings, found, identity: await identityOf(session, found, groups, form === 'text') };
  },
  async document({ settings, found, identity }) {
    const { statusFacts } = await import('./identity.js');
    const items = identity === undefined ? [] : statusFacts(settings, found, identity);
    return { title: '', parts: [{ kind: 'facts', items }] };
  },
  rows: ({ settings, found }, { session }) =>
    rowsOf(
      settings,
      isApart(found, session.io.stdout.isTTY) ? { ...found, problem: 'does not work' } : found,
    ),
  rowView: {
    columns: [{ path: 'what', keep: true }, { path: 'value', whole: true, keep: true }, { path: 'from' }],
    fields: ['what', 'value', 'from'],
    id: 'what',
  },
  value({ settings, found, identity }) {
    const { titles = {}, name: _, ...facts } = identity ?? {};
    const context = contextOf(settings, titles);
    return { ...context, ...signedInFacts(found), ...facts, projectFile: settings.projectFile ?? null };
  },
  valueView: ({ view }) => view,
  end({ found }, { session, form }) {
    const { problem = '' } = found;
    const isTold = form !== 'value' && isApart(found, session.io.stdout.isTTY);
    return isTold ? { warnings: [problem] } : undefined;
  },
};

/** Whether a terminal gets the problem as a warning: the sentence would not fit beside the others. */
function isApart({ token, problem }: SignedIn, isTerminal: boolean | undefined): boolean {
  return isTerminal === true && token !== null && problem !== undefined;
}

function rowsOf(settings: Settings, { token, works, problem, member }: SignedIn): Record<string, string>[] {
  const context = contextParts.map((name) => {
    const { value = '-', where = 'not set' } = settings[name] ?? {};
    return { what: labels[name], value, from: where };
  });
  const who = member === undefined ? 'unknown' : memberName(member);
  return [
    ...context,
    { what: 'sign-in', value: works ? 'works' : (problem ?? 'does not work'), from: token ?? '-' },
    ...(token === null ? [] : [{ what: 'member', value: who, from: member === undefined ? '-' : 'sign-in' }]),
  ];
}
