// Does what the users of a release do, and fails where one of them would: `npm run release:verify <folder>`.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  checkDebs,
  checkInstaller,
  checkLintian,
  checkPrograms,
  checkSbom,
  checkTarball,
} from './checks.mjs';
import { checkImage } from './image.mjs';
import { sumsName, wrongSums } from './sums.mjs';

const checks = {
  sums: checkSums,
  sbom: checkSbom,
  image: checkImage,
  programs: checkPrograms,
  deb: checkDebs,
  lintian: checkLintian,
  installer: checkInstaller,
  // The only one that asks the registry of npm.
  tarball: checkTarball,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: Object.keys(checks) } },
});
const folder = resolve(positionals[0] ?? 'build/release');
const unknown = values.only.filter((name) => !(name in checks));
if (unknown.length > 0 || !existsSync(join(folder, sumsName))) {
  const problem = unknown.length > 0 ? `unknown check ${unknown.join(', ')}` : `${folder} has no ${sumsName}`;
  console.error(`error: ${problem}`);
  process.exit(2);
}

for (const [name, check] of Object.entries(checks)) {
  // What is not what its maker wrote is not run.
  if (name !== 'sums' && !values.only.includes(name)) continue;
  const work = mkdtempSync(join(tmpdir(), 'docs-verify-'));
  try {
    console.log(`ok ${name}: ${await check(folder, work)}`);
  } catch (cause) {
    console.error(`error: ${name}: ${cause.message}`);
    process.exitCode = 1;
    if (name === 'sums') break;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function checkSums() {
  const wrong = await wrongSums(folder);
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return 'each file is what SHA256SUMS says, and no other is there';
}
