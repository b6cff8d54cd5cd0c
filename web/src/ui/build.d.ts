/** The address of the source code, set by build.mjs. */
declare const __SOURCE__: string;
declare const __NETWORK__: string;
