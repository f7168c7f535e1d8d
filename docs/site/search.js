// The search of search.html: all words of the query must be in a part of a page, the last as the beginning of a word.
"use strict";
lunr.tokenizer.separator = /[\s\-:.,()<>"'`;/]+/;

// lunr shares equal nodes by such a text, in which it writes a letter and the number of a node without anything between. If letters are digits,
// unequal nodes may have the same text: then a search finds words that are in no part, and throws.
lunr.TokenSet.prototype.toString = function () {
    if (this._str) return this._str;
    return Object.keys(this.edges).sort().reduce((text, letter) => `${text}${letter}${this.edges[letter].id},`, this.final ? "1" : "0");
};

const index = lunr(function () {
    this.ref("number");
    this.field("title", {boost: 5});
    this.field("text");
    searchData.forEach(([, title, text], number) => this.add({number, title, text}));
});

function find(words) {
    const tokens = lunr.tokenizer(words.toLowerCase()).map(String).filter(word => word && lunr.stopWordFilter(new lunr.Token(word)));
    if (tokens.length === 0) return [];
    return index.query(query => tokens.forEach((word, place) => {
        const presence = lunr.Query.presence.REQUIRED;
        if (place + 1 < tokens.length) query.term(word, {presence});
        else query.term(lunr.stemmer(new lunr.Token(word)).toString(), {presence, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
    }));
}

/// The text around the first of the words.
function excerpt(text, words) {
    const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0);
    const from = Math.max(0, Math.min(...places, text.length) - 80);
    return (from > 0 ? "… " : "") + text.slice(from, from + 240) + (from + 240 < text.length ? " …" : "");
}

function show() {
    const query = document.getElementById("query").value, words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = find(query), list = document.getElementById("hits");
    document.getElementById("number").textContent = words.length === 0 ? "" : hits.length + (hits.length === 1 ? " part" : " parts");
    list.replaceChildren(...hits.slice(0, 50).map(hit => {
        const [url, title, text] = searchData[hit.ref];
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = url;
        link.textContent = title;
        item.append(link, document.createElement("br"), excerpt(text, words));
        return item;
    }));
    history.replaceState(null, "", query ? "?q=" + encodeURIComponent(query) : location.pathname);
}

document.getElementById("query").value = new URLSearchParams(location.search).get("q") || "";
document.getElementById("query").addEventListener("input", show);
show();
