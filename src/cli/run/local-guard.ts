import { dirname, join } from 'node:path';
import type { Io, LocalGuard } from '../../base/io.js';
import { isBelow, refuseOwn, stateOf, withRealFolder } from '../../files/asked-file.js';
import type { Gate, LocalWord, Verdict } from '../../policy/policy.js';
import type { WrittenFile } from './written-files.js';

/**
 * Holds what a command writes and runs on this machine against the policies.
 * @param open the gate of the session, or one for this alone: a sandbox exempts requests, not files and programs
 */
export function localGuard(io: Pick<Io, 'cwd' | 'own'>, open: () => Promise<Gate>): LocalGuard {
  return {
    async file(path, name, is) {
      const gate = await open();
      // Only now is it known where the policies keep what they count on.
      await refuseOwn(io, path, name);
      await gate.holdLocal(effectOn(io, path, is), doing(name, is));
    },
    async program(name, instead) {
      await (await open()).holdLocal('programs', `running ${name}`, instead);
    },
    async whyNoProgram() {
      const verdict = (await open()).local('programs');
      if (verdict.is === 'allow') return undefined;
      return `a policy does not allow programs (${verdict.by.file}:${verdict.by.line})`;
    },
  };
}

type State = Parameters<LocalGuard['file']>[2];

/** New files below the working folder are output, and so are the plans that agents make. */
function effectOn(io: Pick<Io, 'cwd' | 'own'>, path: string, is: State): LocalWord | 'new-file' {
  const here = dirname(withRealFolder(join(io.cwd, 'file')));
  const folders = [here, ...(io.own?.().open ?? [])];
  return is === 'new' && folders.some((folder) => isBelow(folder, path)) ? 'new-file' : 'files';
}

/**
 * What the policies say to the files that the flags of a command line name, for `docs policy test`. Output that they allow
 * is left out, as the rest of what a command prints.
 */
export function fileVerdicts(
  io: Pick<Io, 'cwd' | 'own'>,
  gate: Gate,
  files: readonly WrittenFile[],
): { what: string; verdict: Verdict }[] {
  return files.flatMap(({ path, name, isFolder, isNow }) => {
    const is = stateOf(path, isFolder);
    const effect = effectOn(io, withRealFolder(path), is);
    const verdict = gate.local(effect);
    const isOutput = effect === 'new-file' && verdict.is === 'allow';
    return isNow && !isOutput ? [{ what: doing(name, is), verdict }] : [];
  });
}

function doing(name: string, is: State): string {
  if (is === 'there') return `replacing ${name}`;
  return is === 'directory' ? `writing into ${name}` : `writing ${name}`;
}
