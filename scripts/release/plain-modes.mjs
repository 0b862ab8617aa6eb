// Before `npm pack`: what is packed becomes 644, folders and the program 755. npm takes the modes of the files as they are, and those are
// of the umask of whoever cloned; so the same commit would give other bytes elsewhere. Git keeps no such modes.
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { files, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
// npm packs these without being told.
for (const path of ['package.json', 'README.md', 'LICENSE', ...files]) {
  if (existsSync(path)) makePlain(path);
}
// In a clone that was not built, npm builds it afterwards, with these modes.
for (const path of Object.values(bin)) if (existsSync(path)) chmodSync(path, 0o755);

/** @param {string} path a file or folder; links stay as they are */
function makePlain(path) {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) makePlain(join(path, name));
}
