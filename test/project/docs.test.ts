import { describe } from 'vitest';
import { DOCUMENT, documentTests } from '../support/document-tests.js';
import { DOCUMENTS, LONG_DOCUMENTS } from '../support/documents.js';

describe.each(DOCUMENTS.filter((file) => !LONG_DOCUMENTS.includes(file)))('%s', (file) => {
  documentTests(file, DOCUMENT, 'quick');
});
