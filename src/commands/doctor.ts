import { listOrgs } from '../api/resources/orgs.js';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import { checkAll } from '../cli/run/checks.js';
import { DocsError } from '../errors.js';
import { closed, maybe, oneOf, text } from '../output/printed-shapes.js';

export const doctor = manual({
  name: 'doctor',
  summary: 'Check settings, sign-in, connection and clock',
  why:
    'Run it when a command fails unexpectedly: it checks Node, settings, proxy, certificates, sign-in, ' +
    'connection and clock. It changes nothing and prints no token.',
  operations: [listOrgs],
  returns: Type.Array(
    closed({ check: text, state: oneOf('ok', 'warning', 'problem'), detail: text, hint: maybe }),
  ),
  columns: [{ path: 'state', as: 'state' }, 'check', 'detail', 'hint'],
  id: 'check',
  examples: {
    doctor: 'print one line per check',
    'doctor --jq \'.[] | select(.state != "ok")\'': 'print only the checks that failed',
  },
  tolerant: true,
  repairs: true,
  async run(session, _, { view }) {
    await session.printer.check(view);
    const findings = await checkAll(session);
    const items = findings.map(({ failure: _, ...check }) => check);
    await session.printer.list(items, view);
    const worst = findings.find(({ state }) => state === 'problem');
    if (worst !== undefined)
      throw worst.failure ?? new DocsError('configuration', 'not_well', `${worst.check}: ${worst.detail}`);
  },
});
