import { describe } from 'vitest';
import { DOCUMENT, documentTests } from '../support/document-tests.js';
import { LONG_DOCUMENTS } from '../support/documents.js';

describe.each(LONG_DOCUMENTS)('%s', (file) => {
  documentTests(file, DOCUMENT);
});
