/** Help text of the inputs that search in names. */
export const patternHelp =
  'Finds names that contain all words, in any order and in upper or lower case. With * or ? the text must match the whole name. ' +
  String.raw`To search for these characters themselves, type \* or \?. Type a backslash before a space to keep two words together.`
