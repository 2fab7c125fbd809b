import fc from 'fast-check';

// That a test fails is all that counts here. To find the smallest failure of a hard test takes minutes.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
