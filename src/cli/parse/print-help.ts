import type { Io } from '../../base/io.js';
import { loadChalk } from '../../output/colors.js';
import { colorLevel } from '../../output/terminal.js';
import type { GroupEntry } from '../declare/command.js';
import { helpText } from '../help/help.js';
import { type HelpLook, helpLook } from '../help/layout.js';
import { isHelpTopic } from '../help/topic-names.js';
import type { Walk } from './walk.js';

/** A line that asks for help, or names no command. */
interface Asked {
  walked: Walk;
  argv: readonly string[];
  io: Io;
  groups: readonly GroupEntry[];
  /** Whether policies allow a pager, asked where one would start. */
  mayRun: () => Promise<boolean>;
}

/**
 * Prints help for docs, a group, a command or a topic, or of the guide.
 * @param note what help says above that of a command, such as the alias that was typed
 * @throws DocsError usage if the words after `help` or before `--help` are unknown
 */
export async function printHelp(
  { walked, argv, io, groups, mayRun }: Asked,
  note: string | undefined,
): Promise<void> {
  const { help, path, pathAt, unknown } = walked;
  // Some topics have the name of a group; with more words behind it, the group is meant.
  const word = path.length > 1 ? undefined : (argv[pathAt[0] ?? -1] ?? unknown?.word);
  const look = { ...(await lookOf(walked, io, 'stdout')), full: argv.includes('--full') };
  if (help && word !== undefined && isHelpTopic(word)) {
    const { topicText } = await import('../help/topics.js');
    return printLong({ io, walked, groups, mayRun }, topicText(word, look));
  }
  if (unknown !== undefined) {
    const page = help && path.length === 0 ? await guidePage(walked, io) : undefined;
    if (page !== undefined) return printLong({ io, walked, groups, mayRun }, page, { isWrapped: false });
    const { unknownCommand } = await import('./suggest.js');
    throw await unknownCommand(walked, groups, io.platform);
  }
  const about = note === undefined ? '' : `${note}\n\n`;
  return printLong({ io, walked, groups, mayRun }, about + helpText(walked, groups, look));
}

/** Says on standard error what a line lacks that names no command. */
export async function printGroupHelp({ walked, io, groups }: Omit<Asked, 'argv' | 'mayRun'>): Promise<void> {
  io.stderr.write(helpText(walked, groups, await lookOf(walked, io, 'stderr')));
}

/** What the guide has under the words behind `help`. */
async function guidePage({ unknown, flags }: Walk, io: Io): Promise<string | undefined> {
  const { word = '', rest = [], tail = [] } = unknown ?? {};
  const values = [...flags.values()].flat();
  const behind = tail.filter((each) => !each.startsWith('-') && !values.includes(each));
  const { isTTY, columns } = io.stdout;
  const chalk = await loadChalk(colorLevel(io, { color: !flags.has('color') }, 'stdout'));
  const { guideHelp } = await import('../help/guide.js');
  return guideHelp([word, ...rest, ...behind], { isTTY: isTTY === true, columns, chalk });
}

/** Of help that is wrapped already, its lines tell whether it fits on the screen; of other text the pager finds out. */
async function printLong(
  asked: Omit<Asked, 'argv'>,
  text: string,
  { isWrapped = true }: { isWrapped?: boolean } = {},
): Promise<void> {
  const { io } = asked;
  const { flags } = asked.walked;
  const { isTTY, rows = 0 } = io.stdout;
  const isLong = isTTY === true && rows > 0 && (!isWrapped || text.split('\n').length > rows);
  if (!isLong || flags.has('pager') || flags.has('input')) return printPlain(io, text);
  await page(asked, text);
}

/** Shows a text in the pager; prints it where there is none. Waits until the reader has left. */
async function page({ io, mayRun }: Omit<Asked, 'argv'>, text: string): Promise<void> {
  const { PagingSink } = await import('../../output/pager.js');
  const sink = new PagingSink(io, { setting: await pagerSetting(io), quiet: false, mayRun });
  sink.add(text);
  try {
    await sink.push();
  } catch {
    // The reader has left, or the run ends.
  }
  await sink.close();
}

/** The pager of the settings. Help must not fail where they cannot be read. */
async function pagerSetting(io: Io): Promise<string | undefined> {
  const [{ settingsPaths }, { readSettingsFile }] = await Promise.all([
    import('../../settings/paths.js'),
    import('../../settings/settings-file.js'),
  ]);
  try {
    const { pager } = readSettingsFile(io, settingsPaths(io)).settings;
    return typeof pager === 'string' ? pager : undefined;
  } catch {
    return undefined;
  }
}

/** Writes and waits until the write has succeeded or failed; the start of the program tells which. */
export async function printPlain({ stdout }: Pick<Io, 'stdout'>, text: string): Promise<void> {
  await new Promise<unknown>((done) => {
    stdout.on('error', done);
    stdout.write(text, (failure) => failure ?? done(undefined));
  });
}

async function lookOf({ flags }: Walk, io: Io, stream: 'stdout' | 'stderr'): Promise<HelpLook> {
  const { isTTY, columns } = io[stream];
  const level = colorLevel(io, { color: !flags.has('color') }, stream);
  return helpLook(isTTY ? columns : undefined, await loadChalk(level));
}
