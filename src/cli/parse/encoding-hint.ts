import type { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { isEncoding } from '../../base/text-encoding.js';
import type { CommandOutline } from '../declare/outline.js';
import { encodingOption } from '../declare/standing-flags.js';

/** Longer command lines are not repeated. */
const longest = 300;

/** A text that is not UTF-8: adds the same command line with the encoding that the text probably has. */
export function withEncodingHint(
  error: DocsError,
  argv: readonly string[],
  command: CommandOutline,
  platform: NodeJS.Platform,
): DocsError {
  const { encoding } = error.failure.details ?? {};
  const takes = command.options.some(({ name }) => name === encodingOption.name);
  if (error.code !== 'bad_encoding' || !isEncoding(encoding) || !takes) return error;
  const typed = withoutEncoding(argv);
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  const words = [...typed.slice(0, end), `--${encodingOption.name}`, encoding, ...typed.slice(end)];
  const hint = ['docs', ...words.map((word) => shellWord(word, platform))].join(' ');
  return hint.length > longest ? error : error.with({ hint });
}

function withoutEncoding(argv: readonly string[]): string[] {
  const flag = `--${encodingOption.name}`;
  return argv.filter((word, at) => word !== flag && argv[at - 1] !== flag && !word.startsWith(`${flag}=`));
}
