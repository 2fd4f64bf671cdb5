/** A verifier is also a program for its tests; whoever copies it needs only the verifier. */
export const withoutProgram = (code: string): string =>
  code.replace(/\n+[ \t]*(?:\/\/|#) As a program:.*?End of the program\.\n/s, '\n').trimEnd()
