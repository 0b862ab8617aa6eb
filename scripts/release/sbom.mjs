// The SBOM of a release: what npm knows of the packages, without what is of the moment.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundledPackages } from '../notice.mjs';
import { own } from './source.mjs';

/**
 * @param {string} dist folder of a build, which tells what is bundled
 * @param {number} epoch seconds since 1970, for the time stamp
 * @param {boolean} [withBun] whether the release has programs without Node, which contain Bun
 * @returns {Promise<string>} a CycloneDX document as JSON; the same for the same lock file and build
 */
export async function sbom(dist, epoch, withBun = false) {
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline', '--silent'];
  const npm = { encoding: 'utf8', maxBuffer: 1 << 28, shell: process.platform === 'win32' };
  const whole = JSON.parse(execFileSync('npm', words, npm));
  const bundled = await bundledPackages(dist);
  // Packages for development are left out, but for those whose code is part of the build.
  const isPart = ({ name, properties = [] }) =>
    bundled.has(name) || !properties.some(({ name: key, value }) => isOfDevelopment(key, value));
  const components = whole.components.filter(isPart).map((part) => ({
    ...part,
    ...(bundled.has(part.name) && { scope: 'required' }),
  }));
  if (withBun) components.push(bun());
  const known = new Set([whole.metadata.component, ...components].map((part) => part['bom-ref']));
  const dependencies = whole.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) }));
  const { serialNumber: _, ...rest } = whole;
  // npm calls it after its folder, and a library.
  const component = { ...whole.metadata.component, name: own.name, type: 'application' };
  const metadata = { ...whole.metadata, timestamp: new Date(epoch * 1000).toISOString(), component };
  const text = { ...rest, metadata, components, dependencies };
  const serial = { serialNumber: `urn:uuid:${uuidOf(JSON.stringify(text))}` };
  return `${JSON.stringify({ ...text, ...serial }, null, 2)}\n`;
}

function bun() {
  const { optionalDependencies } = JSON.parse(readFileSync('scripts/binary/package.json', 'utf8'));
  const [version] = Object.values(optionalDependencies);
  const licenses = [{ license: { id: 'MIT' } }];
  return { 'bom-ref': `bun@${version}`, type: 'platform', name: 'bun', version, licenses };
}

function isOfDevelopment(key, value) {
  return key === 'cdx:npm:package:development' && value === 'true';
}

/** A UUID of version 8, "by its maker's rules": here the hash of the text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
