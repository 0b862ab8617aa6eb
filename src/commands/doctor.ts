import { getOrg, listOrgs } from '../api/resources/orgs.js';
import { Type } from '../api/type.js';
import { DocsError } from '../base/errors.js';
import { version } from '../base/version.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { checkAll, type Finding } from '../cli/run/checks.js';
import { closed, maybe, oneOf, text } from '../output/printed-shapes.js';

export const doctor = manual({
  name: 'doctor',
  summary: 'Check settings, sign-in, connection and clock',
  why:
    'Run it when a command fails unexpectedly: it checks Node, settings, proxy, certificates, sign-in, ' +
    'connection and clock, and prints the version and how it was installed. It changes nothing and prints ' +
    'no token.',
  operations: [listOrgs, getOrg],
  returns: Type.Array(
    closed({ check: text, state: oneOf('ok', 'warning', 'problem'), detail: text, hint: maybe }),
  ),
  columns: [
    { path: 'state', as: 'state' },
    'check',
    { path: 'detail', lead: true, wraps: true },
    { path: 'hint', lead: true, wraps: true },
  ],
  id: 'check',
  examples: {
    doctor: 'print one line per check',
    'doctor --jq \'.[] | select(.state != "ok")\'': 'print only the checks that failed',
  },
  tolerant: true,
  repairs: true,
  async run(session, _, { groups, view }) {
    await session.printer.check(view);
    const findings = [...(await checkAll(session, groups)), ...(await oldSkills(session))];
    const items = findings.map(({ failure: _, ...check }) => check);
    await session.printer.list(items, view);
    const worst = findings.find(({ state }) => state === 'problem');
    if (worst !== undefined)
      throw worst.failure ?? new DocsError('configuration', 'not_well', `${worst.check}: ${worst.detail}`);
  },
});

/** The installed skills that another version made; nothing is said of current ones, or where there are none. */
async function oldSkills({ io }: Session): Promise<Finding[]> {
  const { skillFolders, skillIn } = await import('../agents/skill.js');
  // Whoever has no home directory has no skill in it, and the check of the settings says so.
  const files = await Promise.all(skillFolders(io).map(skillIn)).catch(() => []);
  return files.flatMap(({ path, state, version: made }) =>
    state === 'old' && made !== version
      ? [
          {
            check: 'skill',
            state: 'warning',
            detail: `${path} is for docs ${made}, this is ${version}`,
            hint: 'docs mcp skill install',
          },
        ]
      : [],
  );
}
