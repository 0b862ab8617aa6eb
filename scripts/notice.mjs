// Writes NOTICE: the licences of all packages whose code is part of the build. `npm run notice`; a test compares.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { reportClient } from './report-client.mjs';

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * @param {string} dist folder of a build
 * @returns {Promise<string>} the text of NOTICE
 */
export async function notice(dist) {
  const { inputs } = await reportClient();
  const inProgram = packagesOf(programInputs(dist));
  const inReports = packagesOf(inputs);
  const beside = new Set(runtimePackages(dist).map((name) => `node_modules/${name}`));
  // Packages that share a text to the letter share its place.
  const places = new Map();
  for (const folder of [...new Set([...inProgram, ...inReports, ...beside])].sort()) {
    const use = [
      inProgram.has(folder) && 'program',
      inReports.has(folder) && 'pages of reports',
      beside.has(folder) && 'program without Node',
    ];
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const terms = license === undefined ? '' : ` (${license.replace(/^\(|\)$/g, '')})`;
    const head = `${name} ${version}${terms}, in the ${use.filter(Boolean).join(' and the ')}`;
    const text = licenceOf(folder);
    places.set(text, [...(places.get(text) ?? []), head]);
  }
  const parts = [...places].map(([text, heads]) => `${heads.join('\n')}\n\n${text}\n`);
  const first = 'docs contains code of the packages below, under their own licences.\n';
  const bun = `Bun, in the program without Node\n\n${readFileSync('packaging/bun.txt', 'utf8')}`;
  const line = `\n${'-'.repeat(80)}\n\n`;
  return [first, ...parts, bun].join(line);
}

/**
 * @param {string} dist folder of a build
 * @returns {Promise<Set<string>>} the names of the packages whose code is part of the build
 */
export async function bundledPackages(dist) {
  const { inputs } = await reportClient();
  return new Set([...packagesOf([...programInputs(dist), ...inputs])].map(nameOf));
}

/**
 * @param {string} dist folder of a build
 * @returns {string[]} the packages that docs needs and that are not part of the build: native parts, WebAssembly.
 * An npm install puts them beside it, each with its licence; the program without Node contains them.
 */
export function runtimePackages(dist) {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const bundled = new Set([...packagesOf(programInputs(dist))].map(nameOf));
  return Object.keys(dependencies).filter((name) => !bundled.has(name));
}

/** Each module of the build tells what it was made of. */
function programInputs(dist) {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
  return files.flatMap((file) => {
    const text = readFileSync(join(dist, file), 'utf8');
    return [...text.matchAll(/\/\/ Of (.*)/g)].flatMap(([, inputs]) => inputs.split(' '));
  });
}

/** The folders of the packages that files belong to. */
function packagesOf(inputs) {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return new Set(folders.filter((folder) => folder !== undefined));
}

function nameOf(folder) {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function licenceOf(folder) {
  const files = readdirSync(folder)
    .filter((name) => licenceFile.test(name))
    .sort();
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const { author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const by = typeof author === 'object' ? author.name : author;
  const at = typeof repository === 'object' ? repository.url : repository;
  return `The package has no text of its licence. By ${by ?? 'its authors'}, ${at ?? 'no address'}.`;
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) {
  const folder = resolve('node_modules', '.cache', 'notice');
  const dist = join(folder, 'dist');
  execFileSync(process.execPath, ['scripts/build.mjs', dist], { stdio: 'inherit' });
  writeFileSync('NOTICE', await notice(dist));
  rmSync(folder, { recursive: true });
}
