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
  summary: 'Manage the translation settings of an organization',
  why: 'Translation settings name the languages that content is translated into.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      operation: listTranslations,
      why: 'Shows the languages of each setting.',
      columns,
      examples: [{ run: 'translations list', does: 'list the translation settings' }],
    }),
    command({
      name: 'create',
      operation: createTranslation,
      why: 'Takes a title only; new settings list no languages yet.',
      columns,
      examples: [{ run: 'translations create --title "Product docs"', does: 'create translation settings' }],
    }),
    command({
      name: 'get',
      operation: getTranslation,
      why: 'Shows the title and languages of the settings.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: [{ run: 'translations get t1', does: 'show translation settings' }],
    }),
    command({
      name: 'update',
      operation: updateTranslation,
      why: 'Changes the title only; the languages stay.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: [{ run: 'translations update t1 --title Handbook', does: 'rename translation settings' }],
    }),
    command({
      name: 'delete',
      aliases: ['rm'],
      operation: deleteTranslation,
      why: 'Use it for settings that are no longer in use.',
      args: { translationSettingsId: '<translation...>' },
      examples: [{ run: 'translations delete t1 --yes', does: 'delete translation settings' }],
    }),
  ],
};
