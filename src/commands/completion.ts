import { resolve } from 'node:path';
import { Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';

import { type Shell, scripts, shells } from '../completion/scripts.js';
import { carryOutChange, startupFile, withBlock, withoutBlock } from '../completion/start-up.js';
import { done, oneOf, text } from '../output/printed-shapes.js';

export const completion = manual({
  name: 'completion',
  summary: 'Set up shell completion',
  why:
    'Prints the completion script; --install adds a marked block that loads it to the start-up file of the ' +
    'shell. Ids are completed with their titles from a cache that is a few minutes old at most.',
  args: {
    '<shell>': {
      description: `One of ${shells.join(', ')}`,
      choices: shells,
      closed: true,
      choiceError: 'unknown_shell',
    },
  },
  options: [
    option('--install', 'Add the lines to the start-up file, after showing them'),
    option('--uninstall', 'Remove the lines from the start-up file', { conflicts: ['install'] }),
    option('--file <file>', "Start-up file; default: the shell's own", { path: { use: 'writes' } }),
  ],
  returns: Type.Union([
    Type.String({ description: 'The script' }),
    done(oneOf('installed', 'up-to-date', 'uninstalled', 'not-installed', 'not-written'), { path: text }),
  ]),
  examples: {
    'completion bash --install': 'install completion for bash',
    'completion zsh': 'print the script, to save in a folder of fpath',
    'completion bash --uninstall --yes': 'remove completion',
  },
  danger: 'change',
  effect: 'local',
  here: { keeps: ['start-up'] },
  changesWith: ['install', 'uninstall'],
  local: true,
  async run(session, { args, options }) {
    const shell = args.shell as Shell;
    const { install, uninstall, file } = options;
    if (install !== true && uninstall !== true) {
      if (file !== undefined) throw usageError('contradiction', '--file requires --install or --uninstall');
      return session.printer.text(scripts[shell]);
    }
    const path = typeof file === 'string' ? resolve(session.io.cwd, file) : startupFile(shell, session.io);
    const change = install === true ? withBlock(path, shell) : withoutBlock(path);
    await carryOutChange(session, shell, change, install === true);
  },
});
