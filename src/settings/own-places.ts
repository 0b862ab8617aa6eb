import { join } from 'node:path';
import type { Io, OwnPlaces } from '../base/io.js';
import { homeFolder, rehearsalVariable, settingsPaths } from './paths.js';
import type { PolicyFile } from './policy-files.js';
import { projectFileName } from './project-file.js';

/**
 * What no file that a person asks for takes the place of.
 * @param policies those in force, and those of other profiles
 */
export function ownPlaces(io: Io, policies: readonly Pick<PolicyFile, 'path'>[]): OwnPlaces {
  const worlds = environments(io).map((env) => ({ env, platform: io.platform }));
  const paths = worlds.map(settingsPaths);
  const settings = paths.flatMap(({ configFile, credentialsFile, lockFile }) => [
    configFile,
    credentialsFile,
    lockFile,
  ]);
  const state = { what: 'the folder of journals and the audit chain' };
  return {
    files: [
      ...policies.map(({ path }) => ({ path, what: 'a policy' })),
      ...settings.map((path) => ({ path, what: 'a settings file' })),
    ],
    folders: [
      ...paths.map(({ stateDir }) => ({ path: stateDir, ...state })),
      ...worlds.map((world) => ({ path: join(homeFolder(world), '.ssh'), what: 'the folder of SSH keys' })),
    ],
    names: [{ name: projectFileName, what: 'the settings file of a project' }],
    // Plans that agents make.
    open: paths.map(({ stateDir }) => join(stateDir, 'agent-plans')),
  };
}

/** That of this run; without its rehearsal, which has a state of its own; and that of the account, whatever is set. */
function environments({ env }: Io): Io['env'][] {
  const { [rehearsalVariable]: _, ...outside } = env;
  const found = [env, outside];
  try {
    // Loaded here, as in `homeFolder`.
    const { homedir } = process.getBuiltinModule('node:os').userInfo();
    found.push({ HOME: homedir, USERPROFILE: homedir });
  } catch {
    // The system has no entry for this user.
  }
  return found;
}
