/** Longest name in bytes of UTF-8: file systems take 255, and a number may be added. */
const mostBytes = 200;
const mostExtensionBytes = 20;

const unsafe =
  /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff<>:"/\\|?*]/gu;
const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

/** Whether Windows takes a name for a device, whatever folder and ending it has: `NUL`, `con.txt`. */
export function isDevice(name: string): boolean {
  return device.test(name);
}

/**
 * Makes a file name from whatever the platform calls a file (RELIABILITY.md, "File names from it"): a base
 * name in NFC, without control or reserved characters, no device name, neither hidden nor like a flag. The
 * same on every system, so that folders can be shared.
 * @param most longest name in bytes
 * @returns never empty; `file` where nothing is left
 */
export function safeFileName(name: string, most = mostBytes): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const trimmed = trim(base.normalize('NFC').replace(unsafe, '_'));
  const named = isDevice(trimmed) ? `_${trimmed}` : trimmed;
  return trim(shorten(named, '', most)) || 'file';
}

/**
 * A name that is not taken: `report.pdf`, then `report (2).pdf`.
 * @param name a result of `safeFileName`
 * @param isTaken asked with the key of a name, from `fileNameKey`
 */
export function distinctFileName(name: string, isTaken: (key: string) => boolean): string {
  let distinct = name;
  for (let number = 2; isTaken(fileNameKey(distinct)); number += 1) distinct = shorten(name, ` (${number})`);
  return distinct;
}

/** The same for names that some file system takes for one: they differ only in case or form of characters. */
export function fileNameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Without leading dots, hyphens and spaces, or trailing dots and spaces, which Windows drops. */
function trim(name: string): string {
  return name.replace(/^[\s.-]+/, '').replace(/[\s.]+$/, '');
}

/** The name with an addition before its extension, cut in the middle so that it is short enough. */
function shorten(name: string, addition: string, most = mostBytes): string {
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= mostExtensionBytes;
  const stem = hasExtension ? name.slice(0, dot) : name;
  const end = addition + (hasExtension ? name.slice(dot) : '');
  let room = most - Buffer.byteLength(end);
  let kept = '';
  for (const character of stem) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return kept.trimEnd() + end;
}
