import type { Remark } from './splitText.ts'

/** A second name of a thing on screens, its name, and the files whose texts keep it. */
type SecondName = { avoid: RegExp; use: string; keptIn?: RegExp }

/** Texts that the specification prints in quotation marks keep their words. */
const secondNames: SecondName[] = [
  // Printed: "There is no data for this indexing date."
  { avoid: /\bindexing date\b(?![.])/gi, use: 'snapshot' },
  // Printed: "Add a new storage type", "Select a Storage Type".
  { avoid: /\bstorage type\b/gi, use: 'storage', keptIn: /settings\/(sources|storages|DataPage)|help\/pages/ },
  { avoid: /\b(?:TLS Enable|TLS Required|SSL Enable|SMTP Auth)\b/g, use: 'Encryption, Sign in' },
  { avoid: /\b(?:Size Chart|Frame ancestors|User Limits|Always update)\b/g, use: 'see CONTRIBUTING.md' },
  { avoid: /has not been tested with a real deployment/g, use: 'no notes of developers' },
  { avoid: /\bfrom nothing\b/g, use: 'new' },
  // Printed: "Last 10% Available".
  { avoid: /\b\d+%(?! Available)/g, use: '37.6 %' },
]

/** Second names in the texts of a screen or of the help. */
export const secondNameFindings = (text: string, index: number, path: string): Remark[] =>
  secondNames
    .filter(({ keptIn }) => !keptIn?.test(path))
    .flatMap(({ avoid, use }) =>
      [...text.matchAll(avoid)].map((found) => ({
        index: index + found.index,
        message: `"${found[0]}" is a second name: ${use}`,
      })),
    )
