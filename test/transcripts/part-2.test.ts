import { describe } from 'vitest';
import { TRANSCRIPT, documentTests } from '../support/document-tests.js';
import { transcriptsOf } from '../support/documents.js';

describe.each(transcriptsOf(2))('%s', (file) => {
  documentTests(file, TRANSCRIPT, 'quick');
});
