/** Joins the first few names. */
export function joinNames(names: string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

/** Same for sentences about objects, separated by semicolons. */
export function joinTexts(objects: readonly { text: string }[]): string {
  const shown = objects
    .slice(0, 5)
    .map(({ text }) => text)
    .join('; ')
  return objects.length > 5 ? `${shown}; and ${objects.length - 5} more` : shown
}
