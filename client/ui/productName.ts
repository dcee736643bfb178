/** Name of the product in the interface. */
export const productName = 'DataIntell'
