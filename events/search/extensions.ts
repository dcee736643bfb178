/**
 * An extension as users write it, without dots and spaces around it: `.tar.gz` is `tar.gz`. Dots and spaces inside
 * belong to it.
 */
export const bareExtension = (written: string): string => written.replaceAll(/^[.\s]+|[.\s]+$/g, '').toLowerCase()

/** Extensions in a list separated by commas, without empty ones. */
export const extensionsIn = (list: string): string[] => list.split(',').map(bareExtension).filter(Boolean)
