import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  updateTranslation,
} from '../api/resources/translations.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = ['title', 'languages', 'updatedAt', 'createdAt', 'id'] as const;

export const translations: Group = {
  name: 'translations',
  noun: 'translation settings',
  summary: 'Translation settings of an organization',
  why: 'Translation settings name the languages that content is translated into.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listTranslations,
      why: 'Into which languages content is translated, setting by setting.',
      columns,
      examples: [{ run: 'translations list', does: 'which settings there are, and their languages' }],
    }),
    command({
      name: 'create',
      operation: createTranslation,
      why: 'A title is what they begin with.',
      columns,
      examples: [{ run: 'translations create --title "Product docs"', does: 'new settings' }],
    }),
    command({
      name: 'get',
      operation: getTranslation,
      why: 'One setting with its languages.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: [{ run: 'translations get t1', does: 'one of them' }],
    }),
    command({
      name: 'update',
      operation: updateTranslation,
      why: 'The title is what can be changed here; the languages stay.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: [{ run: 'translations update t1 --title Handbook', does: 'rename them' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteTranslation,
      why: 'For settings that nothing uses any more.',
      args: { translationSettingsId: '<translation...>' },
      examples: [{ run: 'translations delete t1 --yes', does: 'delete them' }],
    }),
  ],
};
