export function termsOf(text: string): string[];
