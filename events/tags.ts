/** Tags that begin so are the product's own, such as those of reports; users do not see them. */
export const hiddenTagPrefix = 'dataintell.'

/** The tag of what a report found begins so. */
export const reportTagPrefix = `${hiddenTagPrefix}report.`
