// For all kinds whose elements have several words in registers. Included after VKPRIM_ELEMENT and VKPRIM_VECTOR_WIDTH are defined.
struct vkprim_Element4 { VKPRIM_ELEMENT x, y, z, w; };
#define VKPRIM_ELEMENT4 vkprim_Element4
#define VKPRIM_EACH4(FUNCTION, four, argument) \
    vkprim_Element4(FUNCTION(four.x, argument), FUNCTION(four.y, argument), FUNCTION(four.z, argument), FUNCTION(four.w, argument))

VKPRIM_ELEMENT vkprim_element_identity();
VKPRIM_ELEMENT vkprim_operate(VKPRIM_ELEMENT a, VKPRIM_ELEMENT b);

VKPRIM_ELEMENT4 vkprim_element4(VKPRIM_ELEMENT element) { return vkprim_Element4(element, element, element, element); }
VKPRIM_ELEMENT vkprim_element4_at(VKPRIM_ELEMENT4 four, uint i) { return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w; }
VKPRIM_ELEMENT4 vkprim_operate(VKPRIM_ELEMENT4 a, VKPRIM_ELEMENT4 b) {
    return vkprim_Element4(vkprim_operate(a.x, b.x), vkprim_operate(a.y, b.y), vkprim_operate(a.z, b.z), vkprim_operate(a.w, b.w));
}

#if VKPRIM_VECTOR_WIDTH == 4
#define VKPRIM_VECTOR vkprim_Element4
#define VKPRIM_VECTOR_FROM(ELEMENT) vkprim_Element4(ELEMENT(0), ELEMENT(1), ELEMENT(2), ELEMENT(3))
VKPRIM_VECTOR vkprim_vector_scan(VKPRIM_VECTOR vector) {
    vector.y = vkprim_operate(vector.x, vector.y);
    vector.z = vkprim_operate(vector.y, vector.z);
    vector.w = vkprim_operate(vector.z, vector.w);
    return vector;
}
VKPRIM_VECTOR vkprim_vector_shift(VKPRIM_VECTOR vector) {
    return vkprim_Element4(vkprim_element_identity(), vector.x, vector.y, vector.z);
}
VKPRIM_ELEMENT vkprim_vector_last(VKPRIM_VECTOR vector) { return vector.w; }
VKPRIM_ELEMENT vkprim_vector_reduce(VKPRIM_VECTOR vector) {
    return vkprim_operate(vkprim_operate(vector.x, vector.y), vkprim_operate(vector.z, vector.w));
}
VKPRIM_VECTOR vkprim_vector_of(VKPRIM_ELEMENT element) { return vkprim_element4(element); }
VKPRIM_ELEMENT vkprim_vector_at(VKPRIM_VECTOR vector, uint i) { return vkprim_element4_at(vector, i); }
#elif VKPRIM_VECTOR_WIDTH == 2
struct vkprim_Element2 { VKPRIM_ELEMENT x, y; };
#define VKPRIM_VECTOR vkprim_Element2
#define VKPRIM_VECTOR_FROM(ELEMENT) vkprim_Element2(ELEMENT(0), ELEMENT(1))
VKPRIM_VECTOR vkprim_operate(VKPRIM_VECTOR a, VKPRIM_VECTOR b) {
    return vkprim_Element2(vkprim_operate(a.x, b.x), vkprim_operate(a.y, b.y));
}
VKPRIM_VECTOR vkprim_vector_scan(VKPRIM_VECTOR vector) { return vkprim_Element2(vector.x, vkprim_operate(vector.x, vector.y)); }
VKPRIM_VECTOR vkprim_vector_shift(VKPRIM_VECTOR vector) { return vkprim_Element2(vkprim_element_identity(), vector.x); }
VKPRIM_ELEMENT vkprim_vector_last(VKPRIM_VECTOR vector) { return vector.y; }
VKPRIM_ELEMENT vkprim_vector_reduce(VKPRIM_VECTOR vector) { return vkprim_operate(vector.x, vector.y); }
VKPRIM_VECTOR vkprim_vector_of(VKPRIM_ELEMENT element) { return vkprim_Element2(element, element); }
VKPRIM_ELEMENT vkprim_vector_at(VKPRIM_VECTOR vector, uint i) { return i == 0 ? vector.x : vector.y; }
#else
#define VKPRIM_VECTOR VKPRIM_ELEMENT
#define VKPRIM_VECTOR_FROM(ELEMENT) ELEMENT(0)
VKPRIM_VECTOR vkprim_vector_scan(VKPRIM_VECTOR vector) { return vector; }
VKPRIM_VECTOR vkprim_vector_shift(VKPRIM_VECTOR vector) { return vkprim_element_identity(); }
VKPRIM_ELEMENT vkprim_vector_last(VKPRIM_VECTOR vector) { return vector; }
VKPRIM_ELEMENT vkprim_vector_reduce(VKPRIM_VECTOR vector) { return vector; }
VKPRIM_VECTOR vkprim_vector_of(VKPRIM_ELEMENT element) { return element; }
VKPRIM_ELEMENT vkprim_vector_at(VKPRIM_VECTOR vector, uint i) { return vector; }
#endif
