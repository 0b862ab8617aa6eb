// Prints how many files and lines each room of src/ has, and tests, and fails where one is larger than it may be. Run by
// `npm run lint`. What a room may have is what it has, so that the house gets smaller: whoever needs more says why in a
// decision. `--set` writes the present numbers down, where they are lower.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const file = new URL('rooms.json', import.meta.url);
const allowed = JSON.parse(readFileSync(file, 'utf8'));
const rooms = { ...measured('src', roomOf), ...measured('test', () => 'test') };
const names = Object.keys(rooms).sort();
const isSetting = process.argv.includes('--set');
let isLarger = false;

for (const name of names) {
  const [files, lines] = rooms[name];
  const [mostFiles, mostLines] = allowed[name] ?? (isSetting ? [files, lines] : [0, 0]);
  const over = files > mostFiles || lines > mostLines;
  isLarger ||= over;
  const note = over ? `  larger than it may be: ${mostFiles} files, ${mostLines} lines` : '';
  console.log(
    `${name.padEnd(14)} ${String(files).padStart(5)} files ${String(lines).padStart(7)} lines${note}`,
  );
  allowed[name] = [Math.min(files, mostFiles), Math.min(lines, mostLines)];
}
const ofSources = names.filter((name) => name !== 'test').map((name) => rooms[name]);
const sum = (at) => ofSources.reduce((total, counts) => total + counts[at], 0);
console.log(`src in all ${sum(0)} files, ${sum(1)} lines`);
if (isSetting) {
  const kept = names.map((name) => `  ${JSON.stringify(name)}: [${allowed[name].join(', ')}]`);
  writeFileSync(file, `{\n${kept.join(',\n')}\n}\n`);
}
if (isLarger) process.exitCode = 1;

function roomOf(path) {
  const [room = '', part = ''] = path.split(sep);
  if (!path.includes(sep)) return 'src';
  return room === 'cli' ? `cli/${part}` : room;
}

/** By room: how many files, and how many lines they have. */
function measured(folder, roomIn) {
  const found = {};
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!/\.tsx?$/.test(path)) continue;
    const lines = readFileSync(join(folder, path), 'utf8').split('\n').length - 1;
    const [files = 0, before = 0] = found[roomIn(path)] ?? [];
    found[roomIn(path)] = [files + 1, before + lines];
  }
  return found;
}
