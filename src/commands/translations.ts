import * as api from '../api/resources/translations.js';
import type { Group } from '../cli/declare/command.js';
import { command } from '../cli/declare/define.js';

const columns = ['title', { path: 'languages', lead: true }, 'updatedAt', 'createdAt', 'id'] as const;

export const translations: Group = {
  name: 'translations',
  noun: 'translation settings',
  summary: 'Manage the translation settings of an organization',
  why: 'Translation settings name the languages that content is translated into.',
  commands: [
    command({
      name: 'list',
      operation: api.listTranslations,
      why: 'Shows the languages of each setting.',
      columns,
      examples: { 'translations list': 'list the translation settings' },
    }),
    command({
      name: 'create',
      operation: api.createTranslation,
      why: 'Takes a title only; new settings list no languages yet.',
      columns,
      examples: { 'translations create --title "Product docs"': 'create translation settings' },
    }),
    command({
      name: 'get',
      operation: api.getTranslation,
      why: 'Shows the title and languages of the settings.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: { 'translations get l1': 'show translation settings' },
    }),
    command({
      name: 'update',
      operation: api.updateTranslation,
      why: 'Changes the title only; the languages stay.',
      args: { translationSettingsId: '<translation>' },
      columns,
      examples: { 'translations update l1 --title Handbook': 'rename translation settings' },
    }),
    command({
      name: 'delete',
      operation: api.deleteTranslation,
      why: 'Use it for settings that nothing uses.',
      args: { translationSettingsId: '<translation...>' },
      examples: { 'translations delete l1 --yes': 'delete translation settings' },
    }),
  ],
};
