import fs from 'node:fs';

/** Whether a folder is this user's, and nobody else can write to it. A link may lead to one whose files others exchange. */
export function isOwnFolder(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOwn(stats);
}

/** On Windows only the user has access to their folder; elsewhere owner and mode decide. */
export function isOwn({ uid, mode }: { uid: number; mode: number }, others = 0o022): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & others) === 0);
}

/** Whether a folder is this user's, and closed to everybody else. */
export function isPrivateFolder(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isOwn(stats, 0o077);
}
