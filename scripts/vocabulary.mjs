// Checks the names of types in src/: nouns of the field, none that says nothing outside of its file. Run by `npm run lint`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each stood for up to 28 types, so whoever met one had to look which. */
const tooVague = ['Place', 'Part', 'Found', 'Told', 'Standing', 'Wanted', 'Look', 'Said'];
const declared = new RegExp(`^\\s*(?:export )?(?:type|interface|class) (${tooVague.join('|')})\\b`, 'gm');

let count = 0;
for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  for (const [, name] of readFileSync(join('src', file), 'utf8').matchAll(declared)) {
    console.error(`src/${file}: the type ${name} needs a name that says what it is`);
    count += 1;
  }
}
if (count > 0) process.exitCode = 1;
