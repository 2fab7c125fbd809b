/** Proofs as trees of cases, and clauses where these grow too large; or as clauses in any case (docs/proofs.md). */
export const PROOF_FORMATS = ['tree', 'clauses'] as const;
export type ProofFormat = (typeof PROOF_FORMATS)[number];
