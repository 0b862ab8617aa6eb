export { editCommand, ownCommand, shellWord } from '../shell-word.js';
