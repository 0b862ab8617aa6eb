import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, htmlOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import { atOption } from '../shared/backup-flags.js';

export const rehearse = manual({
  name: 'rehearse',
  summary: 'Run a command on a copy, and report the changes',
  guide: 'rehearse',
  why:
    'Runs the command or script on a copy of the organization, read from the platform on demand or taken ' +
    'from a backup. Prints its output, exits with its code, and reports its changes on stderr.',
  args: {
    '[command...]': {
      description: 'Command to rehearse, after --; with --script, the words for the script',
      completes: 'commands',
    },
  },
  options: [
    option('--from <backup>', 'Use this backup as the copy; send nothing to the platform', {
      path: { use: 'reads' },
    }),
    atOption,
    option('--script <file>', 'Rehearse this script instead of a command', { path: { use: 'reads' } }),
    option('--json-report <file>', 'Write the report to a file, as JSON', { path: { use: 'writes' } }),
    htmlOption,
    option('--save-plan <file>', 'Write the plan that is rehearsed to a file for docs apply', {
      path: { use: 'writes' },
      conflicts: ['script'],
    }),
    contextOption('organizationId'),
  ],
  returns: Type.Unknown({
    description: 'Output of the command; the schema of the report is docs commands schema rehearsal',
  }),
  examples: {
    'rehearse -- members offboard u2 --yes': 'preview the changes of an offboarding',
    'rehearse --from backup -- spaces delete s1 --yes': 'rehearse on a backup, without the platform',
    'rehearse --script ./offboard.sh --json-report report.json': 'rehearse a script',
    'rehearse --save-plan plan.json -- bulk teams update --from renames.csv':
      'rehearse a plan, for docs apply plan.json',
  },
  // It starts the command as a program of its own.
  actsHere: true,
  // docs itself reaches nothing but the copy; a script is any program.
  effect: 'local',
  here: { keeps: ['temporary'], runs: ['script'] },
  changesWith: ['script'],
  passThrough: true,
  plannable: false,
  async run(session, { args, options }, { groups }) {
    const { rehearseCommand } = await import('./run.js');
    await rehearseCommand(session, [args.command ?? []].flat(), options, groups);
  },
});
