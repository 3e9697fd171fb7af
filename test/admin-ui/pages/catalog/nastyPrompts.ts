/** Prompts with characters that are special in a shell, JSON or HTML. */
export const nastyPrompts: readonly string[] = [
  'a boat',
  "it's a 'quoted' boat",
  `"double" and 'single' and \\ and \\' and '\\''`,
  '$HOME ${PATH} $(touch pwned) `touch pwned` $((1+1))',
  'first line\nsecond line\r\nthird\ttabbed',
  '!! !$ history and a # comment; & | > < * ? [x] ~ {a,b} %s %n',
  '日本語 🚀 é e\u0301 \u2028 \u202E right-to-left \u0007 bell',
  "@file -d --data '; rm -rf /tmp/none; '",
  '\\n \\u0041 \\x41 \\0 \\\\',
  '<script>alert(1)</script> <img src=x onerror=alert(1)> {{7*7}} ${7*7}',
]
