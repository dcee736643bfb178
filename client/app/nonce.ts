const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** What lets the page's own style elements pass its content security policy. */
export const styleNonce = (): string => nonce

// The library that keeps a page from scrolling below a dialog reads it here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
