/** Which of the two lists of results. */
export type ListKind = 'files' | 'folders'
